/* Graphs made by capturing a stream: what would have gone into it is kept, and a launch of the
 * graph puts all of that into a stream. Kernels and cudaMemsetAsync can be captured, of one stream
 * at a time. */
#include "host.h"

struct cpucuda_graph {
    std::vector<cpucuda::operation> nodes;
};

struct cpucuda_graph_exec {
    std::vector<cpucuda::operation> nodes;
};

namespace cpucuda {

static std::map<cudaGraph_t, std::unique_ptr<cpucuda_graph>> graphs;
static std::map<cudaGraphExec_t, std::unique_ptr<cpucuda_graph_exec>> execs;
static cudaGraph_t captured; /* NULL: no stream is being captured */
static uint64_t capturing;   /* the stream's number */

bool capture(const operation &operation, const stream_state *stream) {
    place where = operation.where;

    if (!captured)
        return false;
    if (!stream->number && stream->number != capturing)
        fail("stream", "%s:%d: %s goes into the default stream while another one is captured",
             where.file, where.line, where.name);
    if (stream->number != capturing)
        return false;
    if (operation.kind != operation::KERNEL && operation.kind != operation::FILL)
        fail("stream",
             "%s:%d: %s goes into a stream that is captured; kernels and cudaMemsetAsync can",
             where.file, where.line, where.name);
    captured->nodes.push_back(operation);
    captured->nodes.back().by_graph = true;
    return true;
}

static cudaError_t no_graph(place call) {
    return failed(cudaErrorInvalidValue, "graph", call, "there is no such graph");
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, place call) {
    if (!exec || !graphs.count(graph))
        return no_graph(call);
    *exec = new cpucuda_graph_exec{graph->nodes};
    execs[*exec].reset(*exec);
    return cudaSuccess;
}

} // namespace cpucuda

using namespace cpucuda;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode,
                                   const char *file, int line) {
    entered call({file, line, __func__});
    const stream_state *state = state_of(stream);

    if (!state || mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
        return failed(cudaErrorInvalidValue, "stream", call, "%s",
                      state ? "there is no such mode" : "there is no such stream");
    if (!state->number)
        return failed(cudaErrorStreamCaptureUnsupported, "stream", call,
                      "the default stream cannot be captured");
    if (captured)
        return failed(cudaErrorIllegalState, "stream", call, "a stream is being captured already");
    captured = new cpucuda_graph;
    graphs[captured].reset(captured);
    capturing = state->number;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph, const char *file,
                                 int line) {
    entered call({file, line, __func__});
    const stream_state *state = state_of(stream);

    if (!graph || !state || !captured || state->number != capturing)
        return failed(cudaErrorIllegalState, "stream", call, "%s",
                      graph ? "this stream is not being captured" : "the pointer is NULL");
    *graph = captured;
    captured = nullptr;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long,
                                 const char *file, int line) {
    entered call({file, line, __func__});

    return instantiate(exec, graph, call);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long, const char *file, int line) {
    entered call({file, line, __func__});

    return instantiate(exec, graph, call);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream, const char *file, int line) {
    entered call({file, line, __func__});

    if (!execs.count(exec))
        return no_graph(call);
    if (!state_of(stream))
        return failed(cudaErrorInvalidResourceHandle, "stream", call, "there is no such stream");
    for (const operation &node : exec->nodes)
        enqueue(node, state_of(stream));
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph, const char *file, int line) {
    entered call({file, line, __func__});

    if (!graphs.count(graph) || graph == captured)
        return no_graph(call);
    graphs.erase(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec, const char *file, int line) {
    entered call({file, line, __func__});

    if (!execs.count(exec))
        return no_graph(call);
    execs.erase(exec);
    return cudaSuccess;
}
