import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Operation } from '../../lib/api-contract/operation.ts';
import { errorCodes } from '../../lib/kernel/error-codes.ts';
import { operations } from '../../lib/operations.ts';
import type { Table } from '../../lib/table/table.ts';
import { claimLivePost } from '../../lib/targets/live-posts.ts';
import { type Answer, type Call, mediaBaseUrl, openApi, type RequestParts } from './api.ts';
import { storeAutomation } from './automations.ts';
import { openWorkspace, storeAccount, storeMedia, storePost } from './builders.ts';
import { hostileBodies, hostileIds, hostileQueries, type Known } from './hostile.ts';
import { storeDelivery, storeWebhook } from './webhooks.ts';

export interface HostileFixture {
  readonly table: Table;
  readonly call: Call;
  readonly apiKey: string;
  readonly known: Known;
}

/** Opens a workspace with one of everything that requests can refer to. */
export async function openHostileFixture(): Promise<HostileFixture> {
  const { table, call } = await openApi();
  const { context, apiKey } = await openWorkspace(table);
  const { workspaceId } = context;
  const [instagram, youtube, image, video] = await Promise.all([
    storeAccount(table, workspaceId),
    storeAccount(table, workspaceId, { platform: 'youtube' }),
    storeMedia(table, workspaceId),
    storeMedia(table, workspaceId, { filename: 'video.mp4', contentType: 'video/mp4' }),
  ]);
  const { post } = await storePost(table, workspaceId, [{ accountId: instagram.id, status: 'draft' }], {
    status: 'draft',
  });
  const webhook = await storeWebhook(table, workspaceId);
  const delivery = await storeDelivery(table, webhook, { status: 'failed' });
  const automation = await storeAutomation(table, workspaceId, { accountId: instagram.id });
  const platformPostId = '17890000000000001';
  const { id: accountId } = instagram;
  await claimLivePost(table, {
    platform: 'instagram',
    workspaceId,
    accountId,
    platformPostId,
    postId: post.id,
  });
  return {
    table,
    call,
    apiKey,
    known: {
      workspaceId,
      accountIds: [instagram.id, youtube.id],
      postIds: [post.id],
      mediaUrls: [image, video].map(({ objectKey }) => `${mediaBaseUrl}/${objectKey}`),
      webhookIds: [webhook.id],
      deliveryIds: [delivery.id],
      automationIds: [automation.id],
      platformPostIds: [platformPostId],
    },
  };
}

/** Number of concurrent requests. Each run of the property sends a batch. */
const batch = 20;

/** Declares a test of each operation that sends so many generated requests to it. */
export function testGeneratedRequests(among: readonly Operation[], requestsEach: number): void {
  let fixture: HostileFixture;
  beforeAll(async () => {
    fixture = await openHostileFixture();
  });
  it.each(among.map((op) => [op.id, op] as const))('do not break %s', async (_id, op) => {
    await bombard(fixture, op, requestsEach);
  });
}

/** Operations with a body. */
export const withBody = operations.filter(({ body }) => body !== undefined);

/** Operations whose requests have a path or a query to generate, and no body. */
export const withoutBody = operations.filter(
  ({ body, query, pathParameters }) => !body && (query || pathParameters),
);

const hugeBodies: readonly [what: string, make: () => string][] = [
  ['a million values', () => `{"platforms":[${'0,'.repeat(1_000_000)}0]}`],
  [
    'ten thousand objects',
    () => `{"platforms":[${'{},'.repeat(10_000)}{}],"mediaItems":[${'{},'.repeat(10_000)}{}]}`,
  ],
  ['a name of five million characters', () => `{"${'k'.repeat(5_000_000)}":"\\u0000"}`],
  [
    'a text of five million characters',
    () => `{"content":"${'x'.repeat(5_000_000)}","filename":"${'x'.repeat(300)}"}`,
  ],
  ['a million levels', () => '['.repeat(1_000_000)],
  ['a million levels that end', () => '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
];

/**
 * Declares tests that send huge bodies to the operations that take one.
 *
 * @param isChosen decides by the numbers of the operation and the body
 */
export function testHugeBodies(isChosen: (operation: number, body: number) => boolean): void {
  let fixture: HostileFixture;
  beforeAll(async () => {
    fixture = await openHostileFixture();
  });
  const cases = withBody.flatMap(({ id }, operation) =>
    hugeBodies.flatMap(([what, make], body) => (isChosen(operation, body) ? [{ id, what, make }] : [])),
  );
  it.each(cases)('$id responds to a body with $what', async ({ id, make }) => {
    const parts = { apiKey: fixture.apiKey, path: { id: 'x', platform: 'youtube' }, rawBody: make() };
    const answer = await fixture.call(id, parts);
    expect(answer.status, answer.text.slice(0, 200)).toBeLessThan(500);
    expect(answer.text.length).toBeLessThan(100_000);
  });
}

/** Sends generated requests to an operation and checks that each response is one that the API documents. */
async function bombard(fixture: HostileFixture, op: Operation, requests: number): Promise<void> {
  const { known, apiKey, call } = fixture;
  const parts = fc.record<RequestParts>({
    apiKey: fc.constant(apiKey),
    path: fc.dictionary(fc.constantFrom('id', 'platform', 'deliveryId', 'boardId'), hostileIds(known), {
      noNullPrototype: true,
    }),
    query: hostileQueries(op.query, known),
  });
  const bodies = op.body && hostileBodies(op.body, known);
  const request: fc.Arbitrary<RequestParts> = bodies
    ? fc.tuple(parts, bodies).map(([rest, body]) => ({ ...rest, ...body }))
    : parts;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: batch, maxLength: batch }), async (sent) => {
      const answers = await Promise.all(sent.map((one) => call(op.id, one)));
      for (const answer of answers) expectAnswer(op, answer);
    }),
    { numRuns: Math.ceil(requests / batch) },
  );
}

/** Lambda's limit for a response, less the overhead of API Gateway's format. */
const maxResponseBytes = 5_900_000;

function expectAnswer(op: Operation, answer: Answer): void {
  const { status, headers, text } = answer;
  const declared = [...Object.keys(op.replies), ...Object.keys(op.refusals ?? {})].map(Number);
  expect([400, 401, 404, ...declared], text.slice(0, 500)).toContain(status);
  expect(status, text.slice(0, 500)).toBeLessThan(500);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(text.length).toBeLessThan(maxResponseBytes);
  const { body } = answer;
  if (status < 400) return;
  const { error, code, param, docUrl, details, ...more } = body;
  expect(more).toEqual({});
  expect(Object.keys(errorCodes)).toContain(code);
  expect(docUrl).toBe(`https://api.example.com/docs/errors/${code}`);
  expect(typeof error).toBe('string');
  if (status !== 400) {
    expect(['string', 'undefined']).toContain(typeof param);
    return;
  }
  expect(error).toMatch(/^.+?: \S/su);
  const { fields, problems } = details as {
    fields: Record<string, string[]>;
    problems: { param: string; code: string; message: string }[];
  };
  const [field] = Object.keys(fields).filter((name) => String(error).startsWith(`${name}: `));
  expect(field, String(error)).toBeDefined();
  expect([param, code]).toEqual([field, problems[0]?.code]);
  expect([...new Set(problems.map((each) => each.param))]).toEqual(Object.keys(fields));
}
