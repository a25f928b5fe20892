import { IconButton } from '../../../components/icon-button.tsx';
import { Menu } from '../../../components/menu.tsx';
import { words } from '../../../words/words.ts';
import type { Key } from '../names.ts';

/** What opens a dialog about a key. */
export type KeyAction = 'curl' | 'rotate' | 'revoke';

export interface KeyMenuProps {
  apiKey: Key;
  onOpen: (action: KeyAction, key: Key) => void;
}

/** What can be done to a key. Nothing, once it is revoked. Rotation gives an expired key a new end. */
export function KeyMenu({ apiKey, onOpen }: KeyMenuProps) {
  const { status, name } = apiKey;
  if (status === 'revoked') return null;
  const isActive = status === 'active';
  return (
    <Menu
      trigger={<IconButton icon="dots" label={words.keysTab.menu(name)} size="small" />}
      label={words.keysTab.menu(name)}
      actions={[
        ...(isActive
          ? [
              {
                id: 'curl',
                name: words.developersPage.curl.copyAction,
                icon: 'developers' as const,
                run: () => onOpen('curl', apiKey),
              },
            ]
          : []),
        { id: 'rotate', name: words.keysTab.rotate, icon: 'refresh', run: () => onOpen('rotate', apiKey) },
        {
          id: 'revoke',
          name: words.keysTab.revoke,
          icon: 'stop',
          isDangerous: true,
          run: () => onOpen('revoke', apiKey),
        },
      ]}
    />
  );
}
