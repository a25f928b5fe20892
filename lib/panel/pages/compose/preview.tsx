import type { Account } from '../../accounts/account.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { adaptedFiles, askedShape, shownAs } from '../../media/adapted.ts';
import { AdaptedList } from '../../previews/adapted-list.tsx';
import { PostPreview } from '../../previews/post-preview.tsx';
import type { Composing } from './context.ts';
import { contentOf, type Destination, type Draft, mediaOf } from './draft/draft.ts';
import { optionsOf } from './draft/to-request.ts';

interface DestinationPreviewProps {
  account: Account;
  draft: Draft;
  destination: Destination;
  checked: Composing['checked'];
}

/** The post as it will look at one account, with the files as the account gets them, and the changes that are made to them. */
export function DestinationPreview({ account, draft, destination, checked }: DestinationPreviewProps) {
  const files = mediaOf(draft, destination);
  // The answer may be about files that were replaced since.
  const adapted = adaptedFiles(checked).filter(
    ({ accountId, place, original }) =>
      accountId === account.id && original === (place === undefined ? draft.cover?.url : files[place]?.url),
  );
  const { cover } = draft;
  return (
    <PostPreview
      account={account}
      content={contentOf(draft, destination)}
      media={files.map((file, place) =>
        shownAs(
          file,
          adapted.find((each) => each.place === place),
          askedShape(destination, file),
        ),
      )}
      cover={
        cover &&
        shownAs(
          cover,
          adapted.find(({ place }) => place === undefined),
          askedShape(destination, undefined),
        )
      }
      card={checked?.linkCards?.find(({ accountId }) => accountId === account.id)}
      options={optionsOf(draft, destination)}
    >
      <AdaptedList
        platform={platformTitles[account.platform]}
        files={adapted.map(({ place, message }) => ({ place, message }))}
        count={files.length}
      />
    </PostPreview>
  );
}
