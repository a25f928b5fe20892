import type { createKeyOperation } from '../../../../people/operations.ts';
import type { ReplyOf } from '../../../api/operation-types.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyField } from '../../../components/copy-field.tsx';
import { Time } from '../../../components/time.tsx';
import { useCurl } from '../../../curl.ts';
import { words } from '../../../words/words.ts';
import { OnceShown } from '../once-shown.tsx';
import { requestFor } from './request-for.ts';

export type Issued = Pick<ReplyOf<typeof createKeyOperation>, 'key' | 'apiKey'>;

interface IssuedKeyProps {
  issued: Issued;
  isRotated?: boolean;
  onClose: () => void;
}

/** Shows a key for the only time. */
export function IssuedKey({ issued: { key, apiKey }, isRotated = false, onClose }: IssuedKeyProps) {
  const curl = useCurl();
  const texts = words.keysTab.issued;
  return (
    <OnceShown title={texts.once} text={texts.onceText} confirm={texts.stored} onClose={onClose}>
      <CopyField label={texts.field} value={apiKey} copyLabel={texts.copy} />
      {isRotated && (
        <p>
          {key.previousUntil === null ? (
            texts.oldStopped
          ) : (
            <>
              {texts.oldWorks} <Time at={key.previousUntil} />
            </>
          )}
        </p>
      )}
      <CodeBlock
        label={words.developersPage.curl.label}
        code={curl(requestFor(key.permissions))}
        copyLabel={words.developersPage.curl.copy}
      />
    </OnceShown>
  );
}
