/* What the kernels ask of memory, counted on the CPU for every CUDA step. */

const memoryFacts = [
    ['trace_global_bytes_per_interaction', 'global bytes an interaction'],
    ['trace_shared_bytes_per_interaction', 'shared bytes an interaction'],
    ['trace_varied_sectors_per_request', 'sectors a request'],
    ['trace_shared_wavefronts_per_request', 'wavefronts a request'],
];

/* The traced variant of a step. */
function tracedVariant(record, step) {
    const found = record.facts.filter(f => f.step === step && f.name === memoryFacts[0][0]);
    return found.length ? found[found.length - 1].variant : undefined;
}

function traced(record, step, name) {
    const variant = tracedVariant(record, step);
    return variant === undefined ? '' : fact(record, step, variant, name);
}

function memorySection(record) {
    const steps = [
        ...new Set(record.facts.filter(f => f.name === memoryFacts[0][0]).map(f => f.step))
    ].sort();
    if (!steps.length)
        return [paragraph(
            'Not in this record: “make bench” counts them on the CPU for each CUDA step, and ' +
            '“make trace STEP=05” shows them line by line, both without a GPU.')];
    return [
        paragraph(
            'What the kernels ask for, summed over lanes, at n = 4096. What caches answer is ' +
            'counted, too: it is a request all the same. Sectors (of 32 bytes) are those of requests to ' +
            'global memory whose lanes differ in address; wavefronts are passes over the banks of shared ' +
            'memory, where 1 is the least.'),
        table(
            'memory-table', 'Memory, by step',
            ['step', 'variant', ...memoryFacts.map(([, name]) => '#' + name)],
            steps.map(
                step =>
                    [step, tracedVariant(record, step),
                     ...memoryFacts.map(([name]) => traced(record, step, name))])),
    ];
}
