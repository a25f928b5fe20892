/** A document without its fenced code blocks and HTML comments. */
const withoutBlocks = (markdown: string): string =>
  markdown.replace(/^ *(```|~~~).*?^ *\1 *$/gms, '').replace(/<!--.*?-->/gs, '');

/** Returns the fenced code blocks of a language. Pure. */
export function blocksIn(markdown: string, language: string): string[] {
  const fenced = new RegExp(`^\`\`\`${language}$\\n(.*?)^\`\`\`$`, 'gms');
  return [...markdown.matchAll(fenced)].map(([, block = '']) => block);
}

const codeSpan = /(`+)(?<code>(?!`).*?)(?<!`)\1(?!`)/gs;

/** The targets of all links of a document, as they are written; images count as links. Pure. */
export function linksIn(markdown: string): string[] {
  const text = withoutBlocks(markdown).replace(codeSpan, '');
  const inline = [...text.matchAll(/\]\((?<target>[^()\s]+)(?:\s+"[^"]*")?\)/g)];
  const references = [...text.matchAll(/^ {0,3}\[[^\]]+\]:\s+(?<target>\S+)/gm)];
  return [...inline, ...references].map(({ groups }) => groups?.['target'] ?? '');
}

/** The anchors that GitHub gives the headings of a document. Pure. */
export function anchorsIn(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const anchor = anchorOf(heading);
    let unique = anchor;
    for (let repeats = 1; anchors.has(unique); repeats += 1) unique = `${anchor}-${repeats}`;
    anchors.add(unique);
  }
  return anchors;
}

const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Returns the code spans of a document, with line breaks as spaces. Pure. */
export function codeSpansIn(markdown: string): string[] {
  return [...withoutBlocks(markdown).matchAll(codeSpan)].map(({ groups }) =>
    (groups?.['code'] ?? '').replace(/\s+/g, ' ').trim(),
  );
}
