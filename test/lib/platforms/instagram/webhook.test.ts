import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignedByPlatform, subscriptionChallenge } from '../../../../lib/platforms/instagram/webhook.ts';

describe('the verification of the webhook URL', () => {
  const asked = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'token' };

  it.each<[string, Record<string, string>, string | undefined, string | undefined]>([
    ['with the operator’s token', {}, 'token', '1158201444'],
    ['with another token', { 'hub.verify_token': 'other' }, 'token', undefined],
    ['with a longer token', { 'hub.verify_token': 'token2' }, 'token', undefined],
    ['with no token', { 'hub.verify_token': '' }, 'token', undefined],
    ['if the operator has no token', {}, undefined, undefined],
    ['if the operator’s token is empty', { 'hub.verify_token': '' }, '', undefined],
    ['in another mode', { 'hub.mode': 'unsubscribe' }, 'token', undefined],
  ])('%s', (_how, changes, token, challenge) => {
    expect(subscriptionChallenge({ ...asked, ...changes }, token)).toBe(challenge);
  });

  it('fails without a challenge', () => {
    const { 'hub.challenge': _, ...rest } = asked;
    expect(subscriptionChallenge(rest, 'token')).toBeUndefined();
  });
});

describe('a signature', () => {
  const body = Buffer.from('{"text":"grüße 👋"}');
  const hex = (secret: string, of: Uint8Array = body) =>
    createHmac('sha256', secret).update(of).digest('hex');
  const secrets = ['instagram app', 'meta app'];

  it.each<[string, string | undefined, boolean]>([
    ['of the first secret', `sha256=${hex('instagram app')}`, true],
    ['of the second secret', `sha256=${hex('meta app')}`, true],
    ['in upper case', `sha256=${hex('meta app').toUpperCase()}`, true],
    ['of another secret', `sha256=${hex('else')}`, false],
    ['of no secret', `sha256=${hex('')}`, false],
    ['of other bytes', `sha256=${hex('meta app', Buffer.from('{}'))}`, false],
    ['by SHA-1', `sha1=${hex('meta app').slice(0, 40)}`, false],
    ['cut short', `sha256=${hex('meta app').slice(0, 62)}`, false],
    ['with extra characters', `sha256=${hex('meta app')}00`, false],
    ['without its name', hex('meta app'), false],
    ['that is empty', '', false],
    ['that is missing', undefined, false],
  ])('%s is valid: %s', (_which, header, isGood) => {
    expect(isSignedByPlatform(body, header, secrets)).toBe(isGood);
  });

  it('is never valid if there are no secrets or only empty ones', () => {
    expect(isSignedByPlatform(body, `sha256=${hex('')}`, [''])).toBe(false);
    expect(isSignedByPlatform(body, `sha256=${hex('x')}`, [])).toBe(false);
  });
});
