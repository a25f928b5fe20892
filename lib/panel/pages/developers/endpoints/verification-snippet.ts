/** The program of `docs/webhooks.md`, which a test compares. */
export const verificationSnippet = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isFromHerald(rawBody, signatureHeader, secret) {
  const parts = signatureHeader.split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(Date.now() / 1000 - Number(t)) <= 300)) return false; // more than five minutes old: a replay
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest();
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;
