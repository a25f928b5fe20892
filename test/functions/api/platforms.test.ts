import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { findWithdrawal } from '../../../lib/withdrawals/store.ts';
import { sweepWithdrawals } from '../../../lib/withdrawals/sweep.ts';
import { appCredentials, type Call, openApi, publicBaseUrl } from '../../support/api.ts';
import { signedForm } from '../../support/signed-request.ts';

let call: Call;
let table: Table;
beforeAll(async () => {
  ({ call, table } = await openApi());
});

const person = '25025320000000001';
const payload = { algorithm: 'HMAC-SHA256', user_id: person, issued_at: 1_772_366_400 };

const post = (
  verb: 'deauthorize' | 'data-deletion',
  rawBody: string,
  { platform = 'instagram', isBase64Encoded = false } = {},
) =>
  call('platforms-withdraw', {
    route: `POST /platforms/{platform}/${verb}`,
    path: { platform },
    rawBody: isBase64Encoded ? Buffer.from(rawBody).toString('base64') : rawBody,
    isBase64Encoded,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const look = (code: string) => call('platforms-deletion-status', { path: { code } });
const ask = async (platform = 'instagram') => {
  const answer = await post('data-deletion', signedForm(payload, appCredentials.clientSecret), { platform });
  return answer.body as { url: string; confirmation_code: string };
};

describe('Meta’s data deletion callback', () => {
  it.each(['instagram', 'facebook', 'threads'])('of %s gets an address and a code', async (platform) => {
    const { url, confirmation_code: code, ...rest } = await ask(platform);
    expect([code, rest]).toEqual([expect.stringMatching(/^[0-9a-z]{40}$/), {}]);
    expect(url).toBe(`${publicBaseUrl}/platforms/data-deletion/${code}`);
  });

  it('gets the same answer each time it is sent, in any encoding of the body', async () => {
    const form = signedForm(payload, appCredentials.clientSecret);
    const answers = [
      await post('data-deletion', form),
      await post('data-deletion', form, { isBase64Encoded: true }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  it('may be signed with the secret of the Meta app, too', async () => {
    const form = signedForm(payload, appCredentials.metaAppSecret);
    expect((await post('data-deletion', form)).status).toBe(200);
  });
});

describe('Meta’s deauthorize callback', () => {
  it('is accepted, and its code is given to nobody', async () => {
    const answer = await post('deauthorize', signedForm(payload, appCredentials.clientSecret));
    expect([answer.status, answer.text]).toEqual([200, 'ok']);
  });
});

describe.each(['deauthorize', 'data-deletion'] as const)('a callback to %s', (verb) => {
  it.each([
    ['no signature', ''],
    ['no parameter', 'other=1'],
    ['the signature of a stranger', signedForm(payload, 'stranger')],
    ['the signature of an empty secret', signedForm(payload, '')],
    ['another algorithm', signedForm({ ...payload, algorithm: 'plain' }, appCredentials.clientSecret)],
  ])('is refused with %s', async (_what, body) => {
    const answer = await post(verb, body);
    expect([answer.status, answer.body['code']]).toEqual([401, 'signature_wrong']);
  });

  it('is invalid if it is signed and names nobody', async () => {
    const { user_id: _person, ...rest } = payload;
    const answer = await post(verb, signedForm(rest, appCredentials.clientSecret));
    expect([answer.status, answer.body['details']]).toEqual([
      400,
      {
        fields: { signed_request: ['it names no user'] },
        problems: [{ param: 'signed_request', code: 'field_format', message: 'it names no user' }],
      },
    ]);
  });

  it.each(['youtube', 'meta', ''])('is not found for the platform "%s"', async (platform) => {
    const form = signedForm(payload, appCredentials.clientSecret);
    expect((await post(verb, form, { platform })).status).toBe(404);
  });
});

describe('the page about a deletion', () => {
  it('says that the data is being deleted, and later that it is, what is left and until when', async () => {
    const { confirmation_code: code } = await ask('threads');
    const before = await look(code);
    expect([before.status, before.text]).toEqual([200, expect.stringContaining('is not complete yet')]);
    await sweepWithdrawals({ table, now: systemClock, report: () => undefined }, systemClock() + 10_000);
    const after = await look(code);
    expect([after.status, after.text]).toEqual([200, expect.stringContaining('Your data is deleted')]);
    expect(after.text).toContain('You asked Threads');
    expect(after.text).toContain(code);
    for (const left of ['Notices', 'Backups', 'logs', 'Posts']) expect(after.text).toContain(left);
    const found = await findWithdrawal(table, code, systemClock());
    const backups = new Date(Date.parse(found?.completedAt ?? '') + 35 * 86_400_000).toISOString();
    expect(after.text).toContain(`until ${backups.slice(0, 10)}`);
  });

  it('shows nothing about the person', async () => {
    const { confirmation_code: code } = await ask();
    expect((await look(code)).text).not.toContain(person);
  });

  it.each(['', 'unknown', '0'.repeat(40), '<script>', '../health'])('is unknown for "%s"', async (code) => {
    const answer = await look(code);
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Unknown confirmation code')]);
    expect(answer.text).not.toContain('<script>');
  });

  it('runs no scripts, loads nothing, is not cached, framed or indexed', async () => {
    const { confirmation_code: code } = await ask();
    for (const answer of [await look(code), await look('unknown')]) {
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
      });
    }
  });
});
