import type { Answer, Call, RequestParts } from './api.ts';

/** Returns a function that sends requests below `/zernio`, such as `GET /v1/posts`. */
export const zernioClient =
  (call: Call, apiKey: string | undefined) =>
  (route: string, parts: RequestParts = {}): Promise<Answer> => {
    const [method = '', path = ''] = route.split(' ');
    return call('zernio', {
      ...(apiKey !== undefined && { apiKey }),
      ...parts,
      route: `${method} /zernio/v1/{proxy+}`,
      path: { proxy: path.replace(/^\/v1\//, '') },
    });
  };

/** Returns a `fetch` that sends requests below `/zernio` to the function. */
export const fetchZernio =
  (call: Call): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    const answer = await call('zernio', {
      route: `${request.method} /zernio/v1/{proxy+}`,
      path: { proxy: decodeURIComponent(pathname.replace(/^.*\/zernio\/v1\//, '')) },
      query: search.replace(/^\?/, ''),
      headers: Object.fromEntries(request.headers.entries()),
      ...(text !== '' && { rawBody: text }),
    });
    return new Response(answer.text === '' ? null : answer.text, {
      status: answer.status,
      headers: { ...answer.headers },
    });
  };
