import { IconButton } from '../../../components/icon-button.tsx';
import { Menu } from '../../../components/menu.tsx';
import type { Key } from '../names.ts';
import { strings as page } from '../strings.ts';
import { strings } from './strings.ts';

export interface KeyMenuProps {
  readonly apiKey: Key;
  readonly onCurl: (key: Key) => void;
  readonly onRotate: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
}

/** What can be done to a key. Nothing, once it is revoked; an expired key can only be revoked. */
export function KeyMenu({ apiKey, onCurl, onRotate, onRevoke }: KeyMenuProps) {
  const { status, name } = apiKey;
  if (status === 'revoked') return null;
  const isActive = status === 'active';
  return (
    <Menu
      trigger={<IconButton icon="dots" label={strings.menu(name)} size="small" />}
      label={strings.menu(name)}
      actions={[
        ...(isActive
          ? [
              {
                id: 'curl',
                name: page.curl.copyAction,
                icon: 'developers' as const,
                run: () => onCurl(apiKey),
              },
              { id: 'rotate', name: strings.rotate, icon: 'refresh' as const, run: () => onRotate(apiKey) },
            ]
          : []),
        {
          id: 'revoke',
          name: strings.revoke,
          icon: 'stop',
          isDangerous: true,
          run: () => onRevoke(apiKey),
        },
      ]}
    />
  );
}
