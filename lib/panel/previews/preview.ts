import type { Account } from '../accounts/account.ts';
import type { DraftMedia } from '../media/draft-media.ts';

/** What a preview shows. */
export interface PostPreviewProps {
  readonly account: Account;
  readonly content: string;
  readonly media: readonly DraftMedia[];
  readonly cover?: DraftMedia | undefined;
  /** `platformSpecificData` of the destination, as far as it is filled in. */
  readonly options: Readonly<Record<string, unknown>>;
}
