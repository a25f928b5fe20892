import type { Context } from 'aws-lambda';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiFunctions } from '../../../infra/functions/api.ts';
import { defaultTimeoutSeconds } from '../../../infra/functions/definition.ts';
import { secondMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Table } from '../../../lib/table/table.ts';
import { apiEvent, makeHandler, openDependencies, type RequestParts } from '../../support/api.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { fromPanel, type SignedInPerson, signInMember } from '../../support/panel.ts';

let dependencies: Awaited<ReturnType<typeof openDependencies>>['dependencies'];
let apiKey: string;
let workspaceId: string;
let member: SignedInPerson;
beforeAll(async () => {
  ({ dependencies } = await openDependencies());
  const opened = await openWorkspace(dependencies.table);
  apiKey = opened.apiKey;
  workspaceId = opened.context.workspaceId;
  member = await signInMember(dependencies.table, workspaceId, 'owner');
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A table that accepts requests and answers none. */
function hungTable(onRequest: () => void): Table {
  const client = new Proxy(dependencies.table.client, {
    get: (target, name) =>
      name === 'send'
        ? () => {
            onRequest();
            return new Promise<never>(() => {});
          }
        : Reflect.get(target, name, target),
  });
  const { readItems: _readItems, ...table } = dependencies.table;
  return { ...table, client };
}

/** The redirect has time limits of its own (`lib/links/link-table.ts`); the others never ask the table. */
const withoutTable = ['docs', 'grants-authorize', 'grants-metadata', 'health', 'redirect'];
/** These refuse the request of this test before they ask the table. */
const refusing = ['platform-webhook', 'platforms-withdraw'];

describe('while the table does not answer', () => {
  it.each(
    apiFunctions.filter(({ name }) => !withoutTable.includes(name)).map((each) => [each.name, each] as const),
  )(
    '%s answers with our own 503 before its time is over',
    async (name, { entry, routes: [route = ''], timeoutSeconds = defaultTimeoutSeconds }) => {
      const onRequest = vi.fn();
      const handler = await makeHandler(entry, {
        ...dependencies,
        table: hungTable(onRequest),
        requestSessionCheck: async () => undefined,
      });
      const id = newId(startMs);
      const path = Object.fromEntries(
        [...route.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => [
          field,
          field === 'platform' ? 'threads' : id,
        ]),
      );
      const parts: RequestParts = { path, body: {} };
      const isOfPanel = route.includes('/panel/');
      const event = apiEvent(
        name === 'not-found' ? 'GET /v1/nothing' : route,
        isOfPanel ? fromPanel(member, workspaceId, parts) : { ...parts, apiKey },
      );
      const context = { getRemainingTimeInMillis: () => timeoutSeconds * secondMs } as Context;
      const answer = handler(event, context);
      const isAnswered = vi.fn();
      void answer.then(isAnswered);
      for (let second = 0; second < timeoutSeconds && isAnswered.mock.calls.length === 0; second += 1)
        await vi.advanceTimersByTimeAsync(secondMs);
      expect(isAnswered).toHaveBeenCalled();
      const { statusCode, headers } = await answer;
      expect(onRequest.mock.calls.length > 0).toBe(!refusing.includes(name));
      if (refusing.includes(name)) return;
      expect([statusCode, headers['retry-after'], headers['x-request-id']]).toEqual([
        503,
        '5',
        event.requestContext.requestId,
      ]);
    },
  );
});
