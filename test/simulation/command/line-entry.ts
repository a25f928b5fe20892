import type { StoryEntry } from '../story.ts';

/** Converts a line of the world's trace, such as `2026-03-01T12:00:23.630Z #1 create: GetItem`, to an entry. */
export function entryOfLine(line: string): StoryEntry {
  const [, moment = '', rest = ''] = /^(\S+) (?:#\d+ )?(.*)$/s.exec(line) ?? [];
  const atMs = Date.parse(moment);
  const violation = /^VIOLATION (.*)$/s.exec(rest);
  if (violation) return { atMs, actor: '', kind: 'violation', text: violation[1] ?? '' };
  const mishap = /^(.+?) ((?:crashes|pauses) (?:before|after): .*)$/s.exec(rest);
  if (mishap) return { atMs, actor: mishap[1] ?? '', kind: 'fault', text: mishap[2] ?? '' };
  const [, actor = '', what = rest, outcome] = /^(.+?): (.*?)(?: -> (.*))?$/s.exec(rest) ?? [];
  if (actor === 'platform' && what.includes(' is live for '))
    return { atMs, actor, kind: 'live', text: what };
  if (/^(stream|.* queue)$/.test(actor)) return { atMs, actor, kind: 'note', text: what };
  const text = inWords(what);
  if (outcome !== undefined) return { atMs, actor, kind: 'call', text, outcome };
  return { atMs, actor, kind: text.startsWith('writes') ? 'commit' : 'call', text };
}

function inWords(what: string): string {
  if (/^(Query|GetItem|BatchGetItem)\b/.test(what)) return `reads (${what})`;
  if (/^(Update|Put|Delete|TransactWrite)Items?\b/.test(what)) return `writes (${what})`;
  return what.replace(/^send to/, 'sends to').replace(/^platform: /, 'asks the platform: ');
}
