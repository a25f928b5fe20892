import * as z from 'zod';
import { type HttpMethod, operation } from '../api-contract/operation.ts';
import { calls } from './calls.ts';

/** The prefix under which Zernio's interface is served. */
export const zernioPrefix = '/zernio';

/** The operations behind the calls, without repetitions. */
const performed = [...new Set(calls.flatMap(({ operations }) => operations))];

const methodNames = {
  GET: 'read',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const satisfies Partial<Record<HttpMethod, string>>;

/**
 * Zernio's interface, for users of its SDK: one route for each method, and one function. The OpenAPI document leaves them out; the
 * translation is in this folder.
 */
export const zernioOperations = (Object.keys(methodNames) as (keyof typeof methodNames)[]).map((method) =>
  operation({
    id: `${methodNames[method]}Zernio`,
    handler: 'zernio',
    method,
    path: `${zernioPrefix}/v1/{proxy+}`,
    summary: 'Serve a call of Zernio’s interface',
    access: 'key-by-call',
    memoryMegabytes: 1_024,
    replies: { 200: { description: 'The answer in Zernio’s form', body: z.unknown() } },
    calls: performed,
  }),
);
