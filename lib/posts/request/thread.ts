import * as z from 'zod';
import { dropNulls } from '../../api-contract/drop-nulls.ts';
import type { Report } from '../../kernel/errors.ts';
import { fieldCodeOf } from '../../kernel/field-code.ts';
import { fieldMessage } from '../../kernel/field-message.ts';
import type { Json } from '../../kernel/json.ts';
import type { RequestedMediaItem, RequestedReference } from '../../media/schemas.ts';
import { optionField } from '../../platforms/contract/rules.ts';
import { Content, MediaItems } from './schemas.ts';

/** A part of a thread before the records of its files were read. */
export interface RequestedPart {
  readonly content: string;
  readonly mediaItems: readonly RequestedReference[];
}

/**
 * `platformSpecificData.thread`: the one option with files, which are resolved before it is known on which platform they will be.
 * Its rules for a platform, such as the number of parts, are checked with the other options.
 */
const RequestedThread = z.array(z.object({ content: Content.nullish(), mediaItems: MediaItems.nullish() }));

/**
 * Reads the further parts of a destination's thread.
 *
 * @param at the destination's place in the request, such as `platforms[0]`
 * @param resolve returns the reference behind a URL; reports a URL that cannot be used under the field
 */
export function readThread(
  options: { readonly [key: string]: Json } | undefined,
  at: string,
  resolve: (item: RequestedMediaItem, field: string) => RequestedReference[],
  report: Report,
): RequestedPart[] {
  const given = structuredClone(options?.['thread'] ?? []);
  // In free-form options, nulls are still there.
  dropNulls(RequestedThread, given);
  const { success, data, error } = RequestedThread.safeParse(given, {
    reportInput: true,
    error: fieldMessage,
  });
  if (!success) {
    for (const issue of error.issues)
      report(`${at}.${optionField(['thread', ...issue.path])}`, fieldCodeOf(issue), issue.message);
    return [];
  }
  return data.map(({ content, mediaItems }, index) => ({
    content: content ?? '',
    mediaItems: (mediaItems ?? []).flatMap((item, place) =>
      resolve(item, `${at}.${optionField(['thread', index, 'mediaItems', place, 'url'])}`),
    ),
  }));
}
