/**
 * Returns the length of the account's mentions at the start of a comment. Instagram writes one before each answer to a comment of
 * the account, so nobody has typed it. Pure.
 *
 * @param username the account's, without `@`; `null` if it is not known
 * @returns the length in UTF-16 code units, including the white space, comma or colon after it; 0 if the comment begins otherwise
 */
export function ownMentionLength(comment: string, username: string | null): number {
  let length = 0;
  for (;;) {
    // Usernames have letters, digits, full stops and underscores; a final full stop ends the sentence.
    const [mention, name] = /^\s*@([\w.]*\w)[\s,:]*/.exec(comment.slice(length)) ?? [];
    if (mention === undefined || name?.toLowerCase() !== username?.toLowerCase()) return length;
    length += mention.length;
  }
}

/** Returns a comment without the account's mentions at its start: see {@link ownMentionLength}. */
export function withoutOwnMention(comment: string, username: string | null): string {
  return comment.slice(ownMentionLength(comment, username));
}
