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
