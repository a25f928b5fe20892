import { expect } from 'vitest';
import { deployedOperations } from '../../../lib/operations.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import type { ApiDocument, GivenAnswer } from '../support/document.ts';

export interface Asked {
  readonly path?: Readonly<Record<string, string>>;
  /** Query without a question mark. */
  readonly query?: string;
  /** Sent as JSON, and validated against the document if success is expected. */
  readonly body?: unknown;
  /** Replaces `body` and is sent unchanged. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly apiKey?: string;
}

/** Sends a request to an operation and validates request and response against the document. */
export type Ask = (
  expected: number,
  asked?: Asked,
) => Promise<GivenAnswer & { json(): Record<string, never> }>;

export const askerOf =
  (cloud: CloudVisit, document: ApiDocument, operationId: string): Ask =>
  async (expected, { path = {}, query, body, rawBody, headers = {}, apiKey = cloud.demo.apiKey } = {}) => {
    const op = deployedOperations.find(({ id }) => id === operationId);
    if (!op) throw new Error(`there is no operation ${operationId}`);
    const filled = op.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = path[name];
      if (value === undefined) throw new Error(`${operationId}: the path needs ${name}`);
      return encodeURIComponent(value);
    });
    const response = await fetch(`${cloud.apiUrl}${filled}${query === undefined ? '' : `?${query}`}`, {
      method: op.method,
      redirect: 'manual',
      headers: {
        ...(op.access === 'key' && apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...((rawBody !== undefined || body !== undefined) && { body: rawBody ?? JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text };
    const asked = `${op.method} ${filled} ${text.slice(0, 300)}`;
    expect(answer.status, asked).toBe(expected);
    // The gateway's own responses, such as the one to a body that is too large, have no such headers.
    if (answer.headers.has('x-request-id')) {
      expect(answer.headers.get('strict-transport-security'), asked).toBe('max-age=31536000');
      expect(answer.headers.get('x-content-type-options'), asked).toBe('nosniff');
    }
    expect(document.problemsOfAnswer(operationId, answer), asked).toEqual([]);
    if (body !== undefined && expected < 400) {
      expect(document.problemsOfBody(operationId, body), asked).toEqual([]);
    }
    return { ...answer, json: () => JSON.parse(text) };
  };
