/** Text that is already HTML. All other text is escaped when it is inserted into a page. */
export interface Html {
  readonly html: string;
}

type Part = Html | readonly Html[] | string;

/**
 * Builds HTML from a template. Only the template contributes markup; inserted values are escaped, both for text and for
 * quoted attributes.
 */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: String.raw({ raw: markup }, ...parts.map(render)) };
}

function render(part: Part): string {
  if (typeof part === 'string') return escapeMarkup(part);
  return 'html' in part ? part.html : part.map(render).join('');
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
