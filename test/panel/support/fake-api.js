export const requestId = '7d0c3b2e-5f5e-4a51-9d55-0d9f3e4d7f21';
export const ok = (body) => ({ status: 200, body });
/** An error of the service, in its form. */
export function refusal(status, code, error, problems) {
    const details = problems && {
        fields: Object.fromEntries(problems.map(({ param, message }) => [param, [message]])),
        problems: problems.map((each) => ({ ...each, code: 'field_format' })),
    };
    return {
        status,
        body: { error, code, docUrl: `https://api.test/docs/errors#${code}`, ...(details && { details }) },
        headers: { 'x-request-id': requestId },
    };
}
/** Stands in for the API in tests of pages: answers as it is told, and keeps what it was asked. */
export class FakeApi {
    requests = [];
    handlers = new Map();
    /** @param route method and path: `GET /panel/keys`, `DELETE /panel/keys/{id}` */
    on(route, handler) {
        this.handlers.set(route, typeof handler === 'function' ? handler : () => handler);
        return this;
    }
    /** The requests of a route so far. */
    to(route) {
        return this.requests.filter(({ method, path }) => matches(route, `${method} ${path}`));
    }
    async serve(request, response) {
        const asked = await read(request);
        this.requests.push(asked);
        const { status, body, headers, isDropped } = await this.answer(asked);
        if (isDropped) {
            // Chromium itself sends a request again if a connection ends before the first byte.
            response.writeHead(200, { 'content-length': '100' });
            response.write('{', () => request.socket.destroy());
            return;
        }
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(body === undefined ? undefined : JSON.stringify(body));
    }
    answer(asked) {
        const name = `${asked.method} ${asked.path}`;
        const route = [...this.handlers.keys()].find((each) => matches(each, name));
        const handler = route === undefined ? undefined : this.handlers.get(route);
        return handler?.(asked) ?? refusal(404, 'route_unknown', `the test has no answer for ${name}`);
    }
}
const matches = (route, name) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`).test(name);
async function read(request) {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api');
    let text = '';
    for await (const chunk of request.setEncoding('utf8'))
        text += chunk;
    const workspaceId = request.headers['x-workspace'];
    return {
        method: request.method ?? 'GET',
        path: pathname.slice('/api'.length),
        query: searchParams,
        workspaceId: typeof workspaceId === 'string' ? workspaceId : undefined,
        body: text === '' ? undefined : JSON.parse(text),
    };
}
