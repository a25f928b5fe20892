import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSignedRequest } from '../../../../../lib/platforms/shared/meta/signed-request.ts';
import { signEncoded, signRequest } from '../../../../support/signed-request.ts';

const secret = 'app secret';
const payload = { algorithm: 'HMAC-SHA256', user_id: '218471', issued_at: 1_291_836_800 };
const read = (text: string, secrets: readonly string[] = [secret]) => readSignedRequest(text, secrets);

describe('a signed request of Meta', () => {
  it('names the person, and when Meta signed it', () => {
    expect(read(signRequest(payload, secret))).toEqual({ userId: '218471', issuedAtMs: 1_291_836_800_000 });
  });

  it('is accepted with any of the given secrets, but never with an empty one', () => {
    expect(read(signRequest(payload, 'other'), [secret, 'other'])).toMatchObject({ userId: '218471' });
    expect(read(signRequest(payload, ''), [secret, ''])).toBe('forged');
    expect(read(signRequest(payload, secret), [])).toBe('forged');
  });

  it('is accepted if base64 is padded or its words are in the older alphabet', () => {
    const [signature = '', encoded = ''] = signRequest(payload, secret).split('.');
    const older = signature.replaceAll('-', '+').replaceAll('_', '/');
    expect(read(`${older}=.${encoded}`)).toMatchObject({ userId: '218471' });
  });

  it('keeps every digit of an id that is a JSON number', () => {
    const text = '{"algorithm":"HMAC-SHA256","user_id":17841400000000001,"issued_at":1}';
    expect(read(signRequest(text, secret))).toMatchObject({ userId: '17841400000000001' });
  });

  it.each([
    ['without a time', {}],
    ['with a time that is no number', { issued_at: 'yesterday' }],
    ['with a time that no date can have', { issued_at: 1e300 }],
  ])('has no time if it comes %s', (_what, changes) => {
    const { issued_at: _at, ...rest } = payload;
    expect(read(signRequest({ ...rest, ...changes }, secret))).toEqual({ userId: '218471' });
  });

  it.each([
    ['another secret', signRequest(payload, 'stranger')],
    ['another payload', `${signRequest(payload, secret)}A`],
    ['another algorithm', signRequest({ ...payload, algorithm: 'none' }, secret)],
    ['no algorithm', signRequest({ user_id: '1' }, secret)],
    ['no signature', `.${signRequest(payload, secret).split('.')[1]}`],
    ['no payload', 'abc'],
    ['nothing', ''],
    ['a short signature', `AAAA.${signRequest(payload, secret).split('.')[1]}`],
    ['a third part', `${signRequest(payload, secret)}.x`],
  ])('is forged if it has %s', (_what, text) => {
    expect(read(text)).toBe('forged');
  });

  it.each([
    ['no person', { algorithm: 'HMAC-SHA256' }],
    ['an empty person', { ...payload, user_id: '' }],
    ['a person that is not an id', { ...payload, user_id: 'a#b' }],
    ['an id that is too long', { ...payload, user_id: '1'.repeat(65) }],
  ])('is unreadable if it is signed and names %s', (_what, told) => {
    expect(read(signRequest(told, secret))).toBe('unreadable');
  });

  it('never throws, whatever is sent and whatever is signed', () => {
    fc.assert(fc.property(fc.string(), (text) => read(text) === 'forged'));
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(['forged', 'unreadable']).toContain(read(signRequest(text, secret)));
        expect(['forged', 'unreadable']).toContain(read(signEncoded(text.replaceAll('.', ''), secret)));
      }),
    );
  });

  it('is forged as soon as one character of it changes', () => {
    const text = signRequest(payload, secret);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'AZaz09'), (at, character) => {
        // The last character of the signature encodes only four bits of it.
        fc.pre(text[at] !== character && at !== text.indexOf('.') - 1);
        expect(read(`${text.slice(0, at)}${character}${text.slice(at + 1)}`)).toBe('forged');
      }),
    );
  });
});
