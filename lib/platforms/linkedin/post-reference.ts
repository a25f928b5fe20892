/**
 * The URNs that `reshareContext.parent` accepts: LinkedIn answers anything else with "Allowed URN types are groupPost,
 * share, ugcPost". "Copy link to post" often gives the number of an activity, which differs from that of the post, and
 * which only LinkedIn can translate.
 */
const postUrn = /\burn:li:(?:share|ugcPost|groupPost):\d[\d-]*/;
/** The end of an address such as `/posts/harbour_coffee-share-7045020441609936898-Xx1y`. */
const slug = /-(?<type>share|ugcPost|activity)-(?<number>\d+)(?:-[\w-]*)?\/?$/;

const usage =
  'must be the URN of a LinkedIn post (urn:li:share:… or urn:li:ugcPost:…), or a URL that contains it';
const isActivity =
  'names an activity, which LinkedIn does not accept: use the URL in "Embed this post", from the menu of the post on LinkedIn';

export type PostReference =
  | { readonly urn: string; readonly problem?: never }
  | { readonly urn?: never; readonly problem: string };

/** Reads a post's URN from a URN or from an address on linkedin.com. @returns the URN, or the problem */
export function readPostReference(given: string): PostReference {
  const text = given.trim();
  const [whole] = postUrn.exec(text) ?? [];
  if (whole === text && whole !== undefined) return { urn: whole };
  if (/^urn:li:activity:\d+$/.test(text)) return { problem: isActivity };
  const url = URL.parse(text);
  if (!url || !/(^|\.)linkedin\.com$/.test(url.hostname)) return { problem: usage };
  const path = decoded(url.pathname);
  const [inPath] = postUrn.exec(path) ?? [];
  if (inPath !== undefined) return { urn: inPath };
  const { type, number } = slug.exec(path)?.groups ?? {};
  if (type === 'activity' || path.includes('urn:li:activity:')) return { problem: isActivity };
  return type === undefined ? { problem: usage } : { urn: `urn:li:${type}:${number}` };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
