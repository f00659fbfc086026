/* The machine, the runs of the record, and the words of this page. */

const ceilingNames = {
    gpu_issue: 'issue slots of the GPU',
    gpu_fma: 'multiply-adds of the GPU (FMA)',
    gpu_mufu: 'reciprocal square roots of the GPU (MUFU)',
    gpu_lds: 'loads of shared memory (LDS), 4 bytes a lane',
    gpu_memory: 'copies within the GPU’s memory, read plus written',
    gpu_copy_in_pageable: 'copies to the GPU, pageable memory',
    gpu_copy_out_pageable: 'copies from the GPU, pageable memory',
    gpu_copy_in_pinned: 'copies to the GPU, page-locked memory',
    gpu_copy_out_pinned: 'copies from the GPU, page-locked memory',
    fma: 'multiply-adds of the CPU',
    rsqrt: 'reciprocal square roots of the CPU, correctly rounded',
    copy: 'copies in the CPU’s memory, read plus written',
};

function ceilingName(name) {
    const resource = name.slice('ceiling_'.length);
    const [, base, threads] = resource.match(/^(fma|rsqrt|copy)_(\d+)$/) || [];
    return base ? `${ceilingNames[base]}, ${threads} thread${threads === '1' ? '' : 's'}` :
        ceilingNames[resource] || resource;
}

function different(rows, name) {
    return [...new Set(rows.map(row => row[name]).filter(value => value !== ''))];
}

function machineSection(record) {
    const describes = [['host', 'host'], ['CPU', 'cpu'], ['GPU', 'gpu'], ['driver', 'driver'],
        ['compilers', 'compiler'], ['threads', 'threads']]
        .map(([name, column]) => [name, different(record.rows, column).join(', ') || 'none'])
        .filter(([name, value]) => value !== 'none' || name === 'GPU');
    const ceilings = new Map(record.facts.filter(f => f.name.startsWith('ceiling_')).map(f => [f.name, f]));
    const runs = different(record.rows, 'run').map(run => {
        const rows = record.rows.filter(row => row.run === run);
        return [run, rows[0].time_utc, rows.length, different(rows, 'commit').join(', '),
            different(rows, 'step').length, different(rows, 'gpu').join(', ') || 'none',
            different(rows, 'source').join(', ')];
    });
    return [
        table('machine-table', 'What the rows of this record say of the machine',
            [{name: 'part'}, {name: 'is'}], describes),
        ceilings.size ? table('ceilings-table', 'What it can do at most, measured when a run began',
            [{name: 'resource'}, {name: 'measured', number: true}, {name: 'as recorded', number: true}, {name: 'run'}],
            [...ceilings.values()].map(f => [ceilingName(f.name), withUnit(f.value, f.unit), f.value, f.run])) :
            paragraph('Its ceilings are not in this record: they stand in the facts, which “make run” writes.'),
        table('runs-table', 'Runs', [{name: 'run'}, {name: 'began'}, {name: 'rows', number: true}, {name: 'commit'},
            {name: 'steps', number: true}, {name: 'GPU'}, {name: 'of'}], runs),
    ];
}

const words = [
    ['body, n', 'A particle; n is how many there are.'],
    ['interaction', 'The force of one body on another. An iteration computes n · n of them.'],
    ['rate', 'Interactions a second, here in G/s, which are 10⁹ a second. Conversions and copies count as time.'],
    ['limit', 'What this machine allows the program at most: of every resource its measured ceiling divided by ' +
        'what an interaction needs of it, and of these the least.'],
    ['issue slot', 'One instruction of one thread. A GPU issues instructions to 32 threads at once, and only so ' +
        'many a second.'],
    ['FMA, MUFU, LDS', 'The GPU’s units for multiply-adds, for roots and reciprocals, and its loads of shared memory.'],
    ['request, sector', 'What a warp’s lanes ask of memory by one instruction; global memory answers in sectors of ' +
        '32 bytes.'],
    ['lane', 'One of the 32 threads that execute an instruction together (a warp).'],
    ['variant', 'A build of a step: a flag, a layout, a number of threads. The first one is the default.'],
    ['solution, yours', 'The course’s finished program of a step, and the one in your steps/ folder.'],
    ['recorded on', 'The rates of other machines, whose records are published in docs/results.'],
    ['cpucuda', 'CUDA C run on a CPU. It finds mistakes and says nothing of speed.'],
    ['accepted', 'Right at every size, against a program in double precision and by decimals; any other word ' +
        'is explained in docs/exit-codes.md.'],
];

function wordsSection() {
    return [element('dl', {}, ...words.flatMap(([word, meaning]) =>
        [element('dt', {}, word), element('dd', {}, meaning)]))];
}
