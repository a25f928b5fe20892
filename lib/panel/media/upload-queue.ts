import type { DraftMedia } from './draft-media.ts';

/** The progress of a file. */
export type UploadState =
  /** It waits for its turn. */
  | { readonly status: 'waiting' }
  /** Its type is read from its bytes, and the service is asked where to send it. */
  | { readonly status: 'preparing' }
  | { readonly status: 'sending'; readonly sentBytes: number }
  /** All bytes are sent; the bucket has not confirmed them yet. */
  | { readonly status: 'confirming' }
  | { readonly status: 'done'; readonly media: DraftMedia }
  /** Its own fault: sending it again changes nothing. */
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'failed'; readonly reason: string };

export interface Upload {
  /** Grows in the order in which the files were chosen. */
  readonly number: number;
  /** The list of files that it is for. */
  readonly owner: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly state: UploadState;
}

export type UploadChange =
  | { readonly kind: 'add'; readonly uploads: readonly Omit<Upload, 'state'>[] }
  | { readonly kind: 'move'; readonly number: number; readonly state: UploadState }
  | { readonly kind: 'retry'; readonly number: number }
  /** Cancelled, dismissed, or taken over by the draft. */
  | { readonly kind: 'drop'; readonly numbers: readonly number[] };

const next: Readonly<Record<UploadState['status'], readonly UploadState['status'][]>> = {
  waiting: ['preparing', 'failed', 'refused'],
  preparing: ['sending', 'refused', 'failed'],
  sending: ['sending', 'confirming', 'done', 'failed'],
  confirming: ['sending', 'done', 'failed'],
  done: [],
  refused: [],
  failed: ['waiting'],
};

/** The list after a change. What arrives late, such as progress of a cancelled upload, changes nothing. */
export function changeUploads(uploads: readonly Upload[], change: UploadChange): readonly Upload[] {
  switch (change.kind) {
    case 'add':
      return [
        ...uploads,
        ...change.uploads.map((each) => ({ ...each, state: { status: 'waiting' } as const })),
      ];
    case 'drop':
      return uploads.filter(({ number }) => !change.numbers.includes(number));
    case 'retry':
      return changeUploads(uploads, { kind: 'move', number: change.number, state: { status: 'waiting' } });
    case 'move':
      return uploads.map((each) =>
        each.number === change.number && next[each.state.status].includes(change.state.status)
          ? { ...each, state: change.state }
          : each,
      );
  }
}

/** The number of files that are sent at the same time. */
export const mostAtOnce = 3;

const isActive = ({ state }: Upload): boolean =>
  state.status === 'preparing' || state.status === 'sending' || state.status === 'confirming';

/** The uploads that may begin now, in the order in which they were chosen. */
export function toBegin(uploads: readonly Upload[]): readonly Upload[] {
  const free = mostAtOnce - uploads.filter(isActive).length;
  return uploads.filter(({ state }) => state.status === 'waiting').slice(0, Math.max(0, free));
}

/** Those that may still become files of the draft without the person: waiting and active ones. */
export const isOnItsWay = (upload: Upload): boolean => upload.state.status === 'waiting' || isActive(upload);

/**
 * Puts files that have arrived into the draft's files, in the order in which they were chosen, although they arrive in any order. Files
 * that were there before keep their places, also those that the person has moved.
 *
 * @param numberOf the number of the upload that a file came by, if it came just now
 */
export function placeArrived(
  files: readonly DraftMedia[],
  arrived: readonly DraftMedia[],
  numberOf: (file: DraftMedia) => number | undefined,
): readonly DraftMedia[] {
  return arrived.reduce<readonly DraftMedia[]>((placed, file) => {
    const number = numberOf(file) ?? Number.POSITIVE_INFINITY;
    const later = placed.findIndex((each) => (numberOf(each) ?? -1) > number);
    const place = later < 0 ? placed.length : later;
    return [...placed.slice(0, place), file, ...placed.slice(place)];
  }, files);
}
