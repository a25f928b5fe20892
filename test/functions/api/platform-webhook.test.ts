import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { unpackBody } from '../../../lib/automations/inbound/delivery-body.ts';
import { appCredentials, type Call, openApi } from '../../support/api.ts';
import type { SentMessage } from '../../support/fake-queues.ts';

let call: Call;
let sent: SentMessage[];
beforeAll(async () => {
  ({ call, sent } = await openApi());
});

const told = JSON.stringify({ object: 'instagram', entry: [{ id: '1', changes: [] }], emoji: '🌊' });

const sign = (body: string, secret: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const post = (body: string, signature: string | undefined, isBase64Encoded = false) =>
  call('platform-webhook', {
    route: 'POST /platforms/instagram/webhook',
    rawBody: isBase64Encoded ? Buffer.from(body).toString('base64') : body,
    isBase64Encoded,
    headers: signature === undefined ? {} : { 'x-hub-signature-256': signature },
  });

const bodiesSent = () => sent.map(({ body }) => unpackBody((body as { body: string }).body));

describe('a webhook from Instagram', () => {
  it.each([appCredentials.clientSecret, appCredentials.metaAppSecret])(
    'is accepted with a signature of either secret, and is queued unchanged',
    async (secret) => {
      sent.splice(0);
      const answers = [
        await post(told, sign(told, secret)),
        await post(told, sign(told, secret).toUpperCase().replace('SHA256', 'sha256'), true),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(bodiesSent()).toEqual([told, told]);
    },
  );

  it.each<[string, string | undefined]>([
    ['no signature', undefined],
    ['the signature of another body', sign(`${told} `, appCredentials.clientSecret)],
    ['the signature of a stranger', sign(told, 'stranger')],
    ['the signature of an empty secret', sign(told, '')],
    ['no hash', 'sha256='],
  ])('is rejected with %s', async (_what, signature) => {
    sent.splice(0);
    const answer = await post(told, signature);
    expect([answer.status, answer.body['code']]).toEqual([401, 'signature_wrong']);
    expect(sent).toEqual([]);
  });

  it.each<[string, string | undefined, string]>([
    ['without a signature', undefined, 'POST'],
    ['with something else as its signature', 'sha256=zz', 'POST'],
    ['that asks for no challenge', undefined, 'GET'],
  ])('%s costs nothing', async (_what, signature, method) => {
    const read: string[] = [];
    const stranger = await openApi({
      toolsFor: async (platform) => {
        read.push(platform);
        throw new Error('the parameter was read');
      },
    });
    const { status } = await stranger.call('platform-webhook', {
      route: `${method} /platforms/instagram/webhook`,
      rawBody: told,
      headers: signature === undefined ? {} : { 'x-hub-signature-256': signature },
    });
    expect([status, read]).toEqual([method === 'POST' ? 401 : 403, []]);
  });

  it('is acknowledged if it is garbage with a valid signature', async () => {
    for (const garbage of ['', 'no JSON', '[]', '\u0000']) {
      expect((await post(garbage, sign(garbage, appCredentials.clientSecret))).status).toBe(200);
    }
  });
});

describe('Meta’s check of the URL', () => {
  const check = (query: Record<string, string>) =>
    call('platform-webhook', { query: new URLSearchParams(query).toString() });
  const asked = { 'hub.mode': 'subscribe', 'hub.challenge': '<b>1158201444</b>' };

  it('gets the challenge as plain text', async () => {
    const answer = await check({ ...asked, 'hub.verify_token': appCredentials.webhookVerifyToken });
    expect([answer.status, answer.text]).toEqual([200, '<b>1158201444</b>']);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
  });

  it.each<[string, Record<string, string>]>([
    ['another token', { ...asked, 'hub.verify_token': 'guessed' }],
    ['no token', asked],
    ['no challenge', { 'hub.mode': 'subscribe', 'hub.verify_token': appCredentials.webhookVerifyToken }],
    ['nothing at all', {}],
  ])('is rejected with %s', async (_what, query) => {
    expect((await check(query)).status).toBe(403);
  });
});
