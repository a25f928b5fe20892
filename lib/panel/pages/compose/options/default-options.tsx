import type { editAccountOperation } from '../../../../accounts/operations.ts';
import type { Platform } from '../../../../platforms/contract/names.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Muted } from '../../../components/layout.tsx';
import { words } from '../../../words/words.ts';
import { useComposing } from '../context.ts';
import type { Destination, Options } from '../draft/draft.ts';

/**
 * The options that are usually the same for each post of an account. TikTok has none: it requires that people choose them for each
 * post. https://developers.tiktok.com/doc/content-sharing-guidelines
 */
const lasting: Readonly<Partial<Record<Platform, readonly string[]>>> = {
  facebook: ['countries'],
  instagram: ['shareToFeed', 'locationId', 'commentsEnabled'],
  linkedin: ['visibility', 'geoLocations', 'disableReshare'],
  pinterest: ['boardId', 'boardSectionId'],
  threads: ['replyControl', 'replyApprovals'],
  youtube: [
    'madeForKids',
    'privacy',
    'playlistId',
    'categoryId',
    'notifySubscribers',
    'embeddable',
    'publicStatsViewable',
    'license',
    'defaultLanguage',
  ],
};

const texts = words.options.defaults;

/** Keeps the lasting options of a destination, such as its board, for the posts to come. */
export function DefaultOptions({ destination }: { destination: Destination }) {
  const { accountId, platform, options } = destination;
  const { accounts } = useComposing();
  const send = useSend<typeof editAccountOperation>('PATCH', '/v1/accounts/{id}', ['/v1/accounts']);
  const account = accounts.get(accountId);
  const names = lasting[platform];
  if (account === undefined || names === undefined) return null;
  const chosen = pick(options, names);
  const kept = send.data?.account.defaultOptions ?? account.defaultOptions;
  const isNone = Object.keys(chosen).length === 0;
  if (isNone && Object.keys(kept).length === 0) return null;
  const isKept = JSON.stringify(chosen) === JSON.stringify(pick(kept, names));
  // Whoever has pressed the button finds it there again.
  const hasButton = !isKept || !send.isIdle;
  return (
    <>
      {hasButton && (
        <div>
          <Button
            size="small"
            isPending={send.isPending}
            onPress={() =>
              send.mutate({ path: { id: accountId }, body: { defaultOptions: isNone ? null : chosen } })
            }
          >
            {isNone ? texts.forget : texts.keep}
          </Button>
        </div>
      )}
      {isKept && <Muted role="status">{texts.kept}</Muted>}
      {send.error && <ErrorNotice error={send.error} title={texts.failed} />}
    </>
  );
}

const pick = (options: Options, names: readonly string[]): Options =>
  Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
