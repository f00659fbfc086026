/* Step 09 right; its flags name a compiler, libraries, files and options for other programs. */
@SOLUTION 09_ftz@
