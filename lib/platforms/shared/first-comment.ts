import * as z from 'zod';
import { PlatformError } from '../contract/errors.ts';
import { sendNoted } from './send-noted.ts';

/** The notes of finishing about the first comment. */
export const CommentNotes = z.object({
  /** True if a call to post the comment was about to be made, and was not certainly refused. */
  isCommentSent: z.boolean().catch(false),
});

interface FirstComment {
  /** The platform's display name. */
  readonly name: string;
  /** Does the work that can be repeated. Returns 'posted' if it finds that the comment exists. */
  readonly prepare?: () => Promise<'ready' | 'posted'>;
  readonly post: () => Promise<unknown>;
  /** Returns true if the platform shows the comment; undefined if the app may not read the comments. */
  readonly isPosted: () => Promise<boolean | undefined>;
}

/**
 * Posts the first comment at most once. A call of unknown outcome is never repeated, whatever the platform's list
 * shows: it may lag. A missing comment leaves a warning; a second one would be public.
 *
 * @param notes the notes of earlier attempts; mutated
 * @param commitNotes commits the notes before the call, so that they survive a crash
 * @throws PlatformError as the platform does; `retry` while a call of unknown outcome is not confirmed, `rejected` if
 *   the app may not read whether it succeeded
 */
export async function commentOnce(
  notes: { isCommentSent: boolean },
  { name, prepare, post, isPosted }: FirstComment,
  commitNotes: () => Promise<void>,
): Promise<void> {
  if (notes.isCommentSent) {
    const isShown = await isPosted();
    if (isShown) return;
    const [remedy, problem] =
      isShown === undefined
        ? (['rejected', 'does not let the app read the comments'] as const)
        : (['retry', 'does not show it'] as const);
    throw new PlatformError(
      remedy,
      `The first comment may be missing: ${name} did not confirm it, and ${problem}.`,
    );
  }
  if ((await prepare?.()) === 'posted') return;
  const note = (isSent: boolean) => {
    notes.isCommentSent = isSent;
    return commitNotes();
  };
  await sendNoted(note, post);
}
