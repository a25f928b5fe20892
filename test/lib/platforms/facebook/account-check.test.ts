import { expect, it } from 'vitest';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import type { PlatformTools } from '../../../../lib/platforms/contract/tools.ts';
import { facebookAccountCheck } from '../../../../lib/platforms/facebook/account-check.ts';

const account = { platformAccountId: '1', meta: {} };

/** Asks a Facebook that answers in one way. */
const ask = (status: number, json: unknown) => {
  const send = async () => ({
    status,
    json,
    headers: {},
    text: JSON.stringify(json),
    call: 'GET debug_token',
  });
  const tools = { app: { clientId: 'app', clientSecret: 'secret' }, http: { send } };
  return facebookAccountCheck.ask(account, 'token', tools as unknown as PlatformTools);
};

it('a token that is no longer valid needs a new authorization', () =>
  expect(ask(200, { data: { is_valid: false } })).rejects.toMatchObject({
    remedy: 'reauthorise',
    concerns: 'account',
  }));

it.each([
  [
    'the secret of the app is wrong',
    400,
    { error: { code: 190, message: 'Invalid OAuth access token signature.' } },
  ],
  ['the app is blocked', 400, { error: { code: 200, message: 'API access blocked.' } }],
])('%s: that is not the fault of the account', async (_name, status, json) => {
  const error = await ask(status, json).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PlatformError);
  expect(error).toMatchObject({ remedy: 'retry', concerns: 'app', isDailyLimit: false });
});
