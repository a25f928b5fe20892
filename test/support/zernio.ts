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

/** Returns a request with a table of posts, as a browser sends a file of a form. */
export function tableForm(table: string): RequestParts {
  const boundary = 'boundary';
  const lines = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="posts.csv"',
    'Content-Type: text/csv',
    '',
    table,
    `--${boundary}--`,
    '',
  ];
  return {
    rawBody: Buffer.from(lines.join('\r\n')).toString('base64'),
    isBase64Encoded: true,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
