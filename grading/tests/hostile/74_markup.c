/* Markup and escape sequences in what the compiler says. It does not compile. */
#line 1 "</pre><script>alert(74)</script>\033[2J.c"
#error </pre><script>alert(74)</script><img src=x onerror=alert(74)> [2J]0;owned =cmd|'/c calc'!A1
int simulation_run(void) {
    return "<b>&amp;]]>";
}
