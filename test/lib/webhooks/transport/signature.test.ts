import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signatureHeader } from '../../../../lib/webhooks/transport/signature.ts';
import { type SignatureRow, signatureRows } from './signature-rows.ts';

const isOurs = (row: SignatureRow): row is Required<SignatureRow> => row.signedAt !== undefined;

describe('the signature', () => {
  it.each(signatureRows.filter(isOurs))('equals that of another implementation: $name', (row) => {
    const { body, signedAt, signedWith, header } = row;
    expect(signatureHeader(body, signedAt, signedWith)).toBe(header);
    expect(signatureHeader(Buffer.from(body), signedAt, signedWith)).toBe(header);
  });

  it('has one v1 per secret, in their order', () => {
    const [one, two] = ['whsec_1', 'whsec_2'].map((secret) =>
      signatureHeader('{}', 1, [secret]).slice('t=1,'.length),
    );
    expect(signatureHeader('{}', 1, ['whsec_1', 'whsec_2'])).toBe(`t=1,${one},${two}`);
  });

  it('signs the bytes, not the decoded text', () => {
    const latin1 = Buffer.from('{"text":"ü"}', 'latin1');
    expect(signatureHeader(latin1, 1, ['whsec_1'])).not.toBe(signatureHeader('{"text":"ü"}', 1, ['whsec_1']));
  });
});

describe('a secret', () => {
  it('is unique, and is whsec_ and 40 letters and digits', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/);
    expect(new Set(secrets).size).toBe(100);
  });
});
