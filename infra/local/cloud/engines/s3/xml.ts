/** The subset of XML that S3 uses. Pure. */

export type XmlContent = string | number | boolean | XmlElements | readonly XmlContent[] | undefined;
export interface XmlElements {
  readonly [name: string]: XmlContent;
}

/** Writes a document with one root element. A list becomes one element per entry; undefined becomes none. */
export function xmlDocument(root: string, content: XmlElements): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}`;
}

function element(name: string, content: XmlContent): string {
  if (content === undefined) return '';
  if (isList(content)) return content.map((entry) => element(name, entry)).join('');
  const inner =
    typeof content === 'object'
      ? Object.entries(content)
          .map(([child, value]) => element(child, value))
          .join('')
      : escapeText(String(content));
  return `<${name}>${inner}</${name}>`;
}

function isList(content: XmlContent): content is readonly XmlContent[] {
  return Array.isArray(content);
}

function escapeText(text: string): string {
  return text.replace(/[&<>"'\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns the raw content of each element with this name. Search it again for inner elements. */
export function elementsNamed(xml: string, name: string): string[] {
  const expression = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g');
  return [...xml.matchAll(expression)].map(([, inner = '']) => inner);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function unescapeText(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
