/* The machine and the runs of the record. */

const ceilingNames = {
    gpu_issue: 'issue slots of the GPU',
    gpu_fma: 'multiply-adds of the GPU (FMA)',
    gpu_mufu: 'reciprocal square roots of the GPU (MUFU)',
    gpu_lds: 'loads of shared memory (LDS), 4 bytes a lane',
    gpu_tensor: 'multiply-adds of the tensor cores (mma.sync), halves with float sums',
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
    const describes =
        [
            ['host', 'host'], ['CPU', 'cpu'], ['GPU', 'gpu'], ['driver', 'driver'],
            ['compilers', 'compiler'], ['threads', 'threads']
        ].map(([name, column]) => [name, different(record.all, column).join(', ') || 'none'])
            .filter(([name, value]) => value !== 'none' || name === 'GPU');
    const ceilings =
        new Map(record.facts.filter(f => f.name.startsWith('ceiling_')).map(f => [f.name, f]));
    const runs = different(record.all, 'run').map(run => {
        const rows = record.all.filter(row => row.run === run);
        return [
            run, rows[0].time_utc, rows.length, different(rows, 'commit').join(', '),
            different(rows, 'step').length, different(rows, 'gpu').join(', ') || 'none',
            different(rows, 'source').join(', ')
        ];
    });
    return [
        table(
            'machine-table', 'What the rows of this record say of the machine', ['property', 'value'],
            describes),
        ceilings.size ?
            table(
                'ceilings-table', 'What it can do at most, measured when a run began',
                ['resource', '#measured', '#as recorded', 'run'],
                [...ceilings.values()].map(
                    f => [ceilingName(f.name), withUnit(f.value, f.unit), f.value, f.run])) :
            paragraph(
                'Its ceilings are not in this record: they stand in the facts, which “make run” writes.'),
        table(
            'runs-table', 'Runs', ['run', 'began', '#rows', 'commit', '#steps', 'GPU', 'of'], runs),
    ];
}
