import { describe, expect, it } from 'vitest';
import { isFromHerald } from '../../../../bin/dev/commands/receiver.ts';
import { signatureHeader } from '../../../../lib/webhooks/transport/signature.ts';

const body = Buffer.from('{"type":"webhook.test"}');
const secret = 'whsec_one';
const nowSeconds = 1_772_366_400;
const nowMs = nowSeconds * 1_000;

describe('a signature', () => {
  it.each([
    ['of the secret', [secret]],
    ['of the secret during a rotation', ['whsec_new', secret]],
  ])('%s is accepted', (_, secrets) => {
    expect(isFromHerald(body, signatureHeader(body, nowSeconds, secrets), secret, nowMs)).toBe(true);
  });

  it.each([
    ['of another secret', signatureHeader(body, nowSeconds, ['whsec_other'])],
    ['of another body', signatureHeader('{}', nowSeconds, [secret])],
    ['from more than five minutes ago', signatureHeader(body, nowSeconds - 301, [secret])],
    ['from the future', signatureHeader(body, nowSeconds + 301, [secret])],
    [
      'with another time',
      signatureHeader(body, nowSeconds, [secret]).replace(/t=\d+/, `t=${nowSeconds + 1}`),
    ],
    ['that is cut off', signatureHeader(body, nowSeconds, [secret]).slice(0, -2)],
    ['without a time', signatureHeader(body, nowSeconds, [secret]).replace(/t=\d+,/, '')],
    ['that is missing', ''],
  ])('%s is refused', (_, header) => {
    expect(isFromHerald(body, header, secret, nowMs)).toBe(false);
  });
});
