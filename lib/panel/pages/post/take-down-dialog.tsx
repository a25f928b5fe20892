import { useState } from 'react';
import type { unpublishPostOperation } from '../../../posts/operations.ts';
import { type Account, nameOf } from '../../accounts/account.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, CheckboxGroup } from '../../components/checkbox.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Muted } from '../../components/layout.tsx';
import { ExternalLink } from '../../components/link.tsx';
import { toast } from '../../components/toast-list.ts';
import { type Post, postPaths, type Target } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import { canTakeDown } from './targets.ts';

const texts = words.postPage.takeDown;

interface TakeDownDialogProps {
  post: Post;
  accounts: ReadonlyMap<string, Account> | undefined;
  onClose: () => void;
}

/** Asks before live posts are deleted at their platforms, and says which of them only a person can delete. */
export function TakeDownDialog({ post, accounts, onClose }: TakeDownDialogProps) {
  const live = post.platforms.filter(canTakeDown).map((target) => {
    const account = accounts?.get(target.accountId);
    return {
      target,
      name: account ? nameOf(account) : words.account.disconnected,
      byHand: byHandText(target, account),
    };
  });
  const own = live.filter(({ byHand }) => byHand === undefined);
  const others = live.filter(({ byHand }) => byHand !== undefined);
  const [chosen, setChosen] = useState(own.map(({ target }) => target.accountId));
  const { mutate, isPending, error } = useSend<typeof unpublishPostOperation>(
    'POST',
    '/v1/posts/{id}/unpublish',
    postPaths,
  );
  const takeDown = () =>
    mutate(
      { path: { id: post.id }, body: { accountIds: chosen } },
      {
        onSuccess: () => {
          toast({ text: texts.begun });
          onClose();
        },
      },
    );
  return (
    <Dialog title={texts.title} isOpen onClose={onClose} role="alertdialog">
      <DialogBody>
        {own.length > 0 && <p>{texts.text}</p>}
        {own.length > 0 && (
          <CheckboxGroup label={texts.label} value={chosen} onChange={setChosen}>
            {own.map(({ target, name }) => (
              <Checkbox
                key={target.accountId}
                value={target.accountId}
                note={platformTitles[target.platform]}
              >
                <bdi>{name}</bdi>
              </Checkbox>
            ))}
          </CheckboxGroup>
        )}
        {others.length > 0 && (
          <section aria-label={texts.byHand}>
            <h3>{texts.byHand}</h3>
            <p>{texts.byHandText}</p>
            <ul>
              {others.map(({ target, name, byHand }) => (
                <li key={target.accountId}>
                  <bdi>{name}</bdi> <Muted as="span">{platformTitles[target.platform]}</Muted>
                  <p>{byHand}</p>
                  {target.permalink !== null && /^https?:\/\//.test(target.permalink) && (
                    <ExternalLink href={target.permalink}>
                      {words.postPage.targets.open(platformTitles[target.platform])}
                    </ExternalLink>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
        {error && <ErrorNotice error={error} title={texts.failed} />}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {own.length > 0 ? words.shared.actions.cancel : words.shared.actions.close}
        </Button>
        {own.length > 0 && (
          <Button variant="danger" isDisabled={chosen.length === 0} isPending={isPending} onPress={takeDown}>
            {texts.confirm(chosen.length)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** Returns why only a person can delete a destination's post; `undefined` if the service can. */
function byHandText(
  { platform, platformPostId, takeDown }: Target,
  account: Account | undefined,
): string | undefined {
  if (takeDown === null || takeDown.by === 'person') return texts.reasons[platform] ?? texts.noApp;
  if (account === undefined) return texts.disconnected;
  if (platformPostId === null) return texts.noId;
  const { feature } = takeDown;
  return feature === null || account.capabilities.includes(feature) ? undefined : texts.permission;
}
