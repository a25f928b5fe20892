interface Group {
  readonly agents: string[];
  readonly rules: { readonly allows: boolean; readonly pattern: string }[];
}

/**
 * Returns true if a robots.txt lets a crawler read a path (RFC 9309). The groups that name the crawler apply, otherwise those of
 * `*`. Within them the longest matching pattern decides; between equals, `allow` wins.
 *
 * @param crawler the product token, such as `facebookexternalhit`
 * @param path including the query
 */
export function robotsAllow(robots: string, crawler: string, path: string): boolean {
  const groups = readGroups(robots);
  const named = groups.filter(({ agents }) => agents.includes(crawler.toLowerCase()));
  const relevant = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  const matching = relevant
    .flatMap(({ rules }) => rules)
    .filter(({ pattern }) => pattern !== '' && matches(pattern, path));
  const longest = Math.max(...matching.map(({ pattern }) => pattern.length));
  const decisive = matching.filter(({ pattern }) => pattern.length === longest);
  return decisive.length === 0 || decisive.some(({ allows }) => allows);
}

function readGroups(robots: string): Group[] {
  const groups: Group[] = [];
  for (const line of robots.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/i.exec(line) ?? [];
    const last = groups.at(-1);
    switch (name.toLowerCase()) {
      case 'user-agent':
        // Consecutive user-agent lines belong to one group.
        if (last !== undefined && last.rules.length === 0) last.agents.push(value.toLowerCase());
        else groups.push({ agents: [value.toLowerCase()], rules: [] });
        break;
      case 'allow':
      case 'disallow':
        last?.rules.push({ allows: name.toLowerCase() === 'allow', pattern: value });
    }
  }
  return groups;
}

/** Returns true if the pattern matches from the start of the path. `*` matches any text; a final `$` matches the end of the path. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [head = '', ...rest] = pattern.replace(/\$$/, '').split('*');
  if (!path.startsWith(head)) return false;
  let position = head.length;
  for (const [index, piece] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const found = isLast && isWhole ? path.lastIndexOf(piece) : path.indexOf(piece, position);
    if (found < position) return false;
    position = found + piece.length;
  }
  return !isWhole || position === path.length;
}
