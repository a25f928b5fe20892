import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../lib/link-cards/parse-page.ts';
import { cardLimits } from '../../../lib/platforms/contract/link-card.ts';

const url = 'https://example.com/post';

function cardOf(html: string, pageUrl = url) {
  const page = parsePage();
  page.write(html);
  return page.card(url, pageUrl);
}

const head = (elements: string) => `<!doctype html><html><head>${elements}</head><body>Hello</body></html>`;
const og = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`;

describe('the card of a page', () => {
  it.each<[string, string, object | undefined]>([
    [
      'has its Open Graph texts and picture',
      `<title>Other</title>${og('title', 'Harbour')}${og('description', 'At six')}${og('image', 'https://cdn.example.com/a.jpg')}`,
      { title: 'Harbour', description: 'At six', imageUrl: 'https://cdn.example.com/a.jpg' },
    ],
    [
      'has the texts of Twitter’s card',
      '<meta name="twitter:title" content="Harbour"><meta name="twitter:image" content="/a.png">',
      { title: 'Harbour', imageUrl: 'https://example.com/a.png' },
    ],
    [
      'has the usual elements of HTML',
      '<title>\n Harbour\t at six </title><meta name="Description" content="Boats &amp; fog">',
      { title: 'Harbour at six', description: 'Boats & fog' },
    ],
    [
      'prefers the secure address of a picture',
      `<title>A</title>${og('image', 'http://a.example/x')}${og('image:secure_url', 'https://a.example/x')}`,
      { title: 'A', imageUrl: 'https://a.example/x' },
    ],
    ['ignores an empty value', `${og('title', ' ')}<title>A</title>${og('description', '')}`, { title: 'A' }],
    ['takes the first of several values', `${og('title', 'A')}${og('title', 'B')}`, { title: 'A' }],
    [
      'resolves the address of a picture against the base of the page',
      `<base href="https://cdn.example.com/x/"><title>A</title>${og('image', 'a.jpg#top')}`,
      { title: 'A', imageUrl: 'https://cdn.example.com/x/a.jpg' },
    ],
    ...[
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://[',
      `https://a.example/${'x'.repeat(2_048)}`,
    ].map(
      (address) =>
        [
          `has no picture at ${address.slice(0, 30)}`,
          `<title>A</title>${og('image', address)}`,
          { title: 'A' },
        ] as [string, string, object],
    ),
    [
      'has no control characters, and no marks that turn the direction',
      `<title>Har\u202ebour\u0007\u2066 six</title>`,
      { title: 'Har bour six' },
    ],
    ['does not exist without a title', og('description', 'At six'), undefined],
    [
      'ignores a text that shows nothing',
      `${og('title', '\u200b\u2060')}<title>A</title>${og('description', '\u3164')}`,
      { title: 'A' },
    ],
    ['does not exist if the title shows nothing', '<title>\u200b\u00ad</title>', undefined],
    ['does not exist if the title is empty', '<title> </title>', undefined],
  ])('%s', (_name, elements, expected) => {
    expect(cardOf(head(elements))).toEqual(expected && { url, ...expected });
  });

  it('has the picture of the page to which the link redirects', () => {
    expect(
      cardOf(head(`<title>A</title>${og('image', 'a.jpg')}`), 'https://other.example/b/c')?.imageUrl,
    ).toBe('https://other.example/b/a.jpg');
  });

  it('has texts of a limited length, with whole characters', () => {
    const card = cardOf(
      head(`${og('title', '👩‍🚀'.repeat(1_000))}${og('description', 'word '.repeat(1_000))}`),
    );
    expect([...(card?.title ?? '')].length).toBeLessThanOrEqual(cardLimits.title);
    expect(card?.title).toMatch(/^(👩‍🚀)+…$/u);
    expect([...(card?.description ?? '')].length).toBeLessThanOrEqual(cardLimits.description);
  });

  it('has texts that are within their limits also in UTF-16, in which a platform may count', () => {
    const card = cardOf(head(`${og('title', '🚤'.repeat(1_000))}${og('description', '🚤'.repeat(2_000))}`));
    expect(card?.title.length).toBeLessThanOrEqual(cardLimits.title);
    expect(card?.title).toMatch(/^🚤{100,}…$/u);
    expect(card?.description?.length).toBeLessThanOrEqual(cardLimits.description);
  });

  it('is the same however the page arrives, and small whatever the page is', () => {
    const piece = fc.constantFrom(
      ...[
        '<title>',
        '</title>',
        '<meta property="og:title" content="',
        'Harbour',
        '">',
        '<',
        '</b>',
        '<b>',
        '&amp;',
        '<!--',
        '-->',
        '<script>',
        "'",
        '<head>',
        '</head>',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(400), (pieces, at) => {
        const html = pieces.join('');
        const page = parsePage();
        if (page.write(html.slice(0, at))) page.write(html.slice(at));
        const card = page.card(url, url);
        expect(JSON.stringify(card ?? {}).length).toBeLessThan(20_000);
      }),
    );
  });
});

describe('parsing', () => {
  it('ends with the head, once there is a title', () => {
    expect(parsePage().write('<head><title>A</title>')).toBe(true);
    expect(parsePage().write('<head><title>A</title></head>')).toBe(false);
    expect(parsePage().write('<head></head><body>')).toBe(true);
  });

  it('ends early in a page of nothing but elements', () => {
    const page = parsePage();
    expect(page.write('<a>'.repeat(3_000))).toBe(false);
    page.write('<title>Late</title>');
    expect(page.card(url, url)).toBeUndefined();
  });
});
