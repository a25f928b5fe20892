import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDestinationUrl } from '../../../lib/links/destination-url.ts';

describe('the destination of a tracked link', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com:80/A?b=c#d', 'http://example.com/A?b=c#d'],
    ['https://example.com/größe?q=日本', 'https://example.com/gr%C3%B6%C3%9Fe?q=%E6%97%A5%E6%9C%AC'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://example.com:8443/a b', 'https://example.com:8443/a%20b'],
    ['https://example.com/%0d%0aSet-Cookie:%20a=b', 'https://example.com/%0d%0aSet-Cookie:%20a=b'],
  ])('%s is normalized to %s', (address, url) => {
    expect(checkDestinationUrl(address)).toEqual({ url });
  });

  it.each([
    ['javascript:alert(1)'],
    ['data:text/html,<p>'],
    ['ftp://example.com/'],
    ['file:///etc/passwd'],
    ['intent://scan/#Intent;scheme=zxing;end'],
    ['//example.com/'],
    ['example.com'],
    ['https:example.com'],
    ['https:///example.com'],
    ['https://'],
    ['https:\\\\example.com'],
    ['https://\\example.com'],
    ['https://?a'],
    ['https://exa mple.com/'],
    [' https://example.com/'],
    ['https://user@example.com/'],
    ['https://user:secret@example.com/'],
    ['https://:secret@example.com/'],
    ['https://example.com/\r\nSet-Cookie: a=b'],
    ['https://exam\tple.com/'],
    ['https://example.com/\u0000'],
    ['https://example.com/\u0085'],
    [''],
    ['not an address'],
    [`https://example.com/${'a'.repeat(2_029)}`],
    [`https://example.com/${'ü'.repeat(400)}`],
  ])('%j is refused with a reason', (address) => {
    expect(checkDestinationUrl(address)).toEqual({ problem: expect.stringMatching(/^must /) });
  });

  it('may be 2,048 characters long', () => {
    const address = `https://example.com/${'a'.repeat(2_028)}`;
    expect(checkDestinationUrl(address)).toEqual({ url: address });
  });

  it('is always an http URL in printable ASCII, and does not change if it is checked again', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()),
        (text) => {
          const verdict = checkDestinationUrl(text);
          if ('problem' in verdict) return;
          expect(verdict.url).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
          expect(checkDestinationUrl(verdict.url)).toEqual(verdict);
        },
      ),
    );
  });
});
