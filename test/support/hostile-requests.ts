import fc from 'fast-check';
import { expect } from 'vitest';
import type { Operation } from '../../lib/api-contract/operation.ts';
import { errorCodes } from '../../lib/kernel/error-codes.ts';
import type { Table } from '../../lib/table/table.ts';
import { noteLivePost } from '../../lib/targets/live-posts.ts';
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
  await noteLivePost(table, { workspaceId, accountId, platformPostId, postId: post.id });
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

/** Requests per operation. Set GENERATED_REQUESTS to try more. */
export const requestCount = Number(process.env['GENERATED_REQUESTS']) || 100;

/** How many requests run concurrently. Each run of the property sends a batch. */
const batch = 20;

/** Sends many generated requests to an operation and checks that each response is one that the API documents. */
export async function bombard(fixture: HostileFixture, op: Operation): Promise<void> {
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
    { numRuns: Math.ceil(requestCount / batch) },
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
