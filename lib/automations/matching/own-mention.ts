/**
 * How long the mentions of an account are with which a comment begins. Instagram writes one before each answer to a comment of
 * the account, so nobody has typed it. Pure.
 *
 * @param username the account's, without `@`; `null` if it is not known
 * @returns the length in UTF-16 code units, with the white space, comma or colon behind; 0 if the comment begins otherwise
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

/** A comment without the mentions of the account with which it begins: see {@link ownMentionLength}. */
export function withoutOwnMention(comment: string, username: string | null): string {
  return comment.slice(ownMentionLength(comment, username));
}
