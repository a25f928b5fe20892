import type { revokeKeyOperation } from '../../../../people/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { toast } from '../../../components/toast-list.ts';
import { formatDay } from '../../../time.ts';
import { words } from '../../../words/words.ts';
import type { Key } from '../names.ts';

interface RevokeKeyDialogProps {
  apiKey: Key;
  onClose: () => void;
}

/** Asks before a key ends, and says what stops. */
export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const { id, name, lastUsedOn, previousUntil } = apiKey;
  const revoke = useSend<typeof revokeKeyOperation>('DELETE', '/panel/keys/{id}', ['/panel/keys']);
  const texts = words.keysTab.revocation;
  const confirm = () =>
    revoke.mutate(
      { path: { id } },
      {
        onSuccess: () => {
          toast({ text: texts.done(name) });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={texts.title(name)}
      action={texts.submit}
      isOpen
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {texts.stops} {previousUntil !== null && texts.stopsBoth}{' '}
        {lastUsedOn === null ? texts.neverUsed : texts.usedOn(formatDay(lastUsedOn))}
      </p>
      <p>
        {texts.stays} {texts.forever}
      </p>
    </ConfirmDialog>
  );
}
