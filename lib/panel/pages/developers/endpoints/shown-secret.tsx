import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyField } from '../../../components/copy-field.tsx';
import { ExternalLink } from '../../../components/link.tsx';
import { words } from '../../../words/words.ts';
import { OnceShown } from '../once-shown.tsx';
import { verificationSnippet } from './verification-snippet.ts';

interface ShownSecretProps {
  secret: string;
  isRotated?: boolean;
  onClose: () => void;
}

/** Shows an endpoint's signing secret for the only time, and how to use it. */
export function ShownSecret({ secret, isRotated = false, onClose }: ShownSecretProps) {
  const texts = words.endpointsTab.secret;
  return (
    <OnceShown title={texts.once} text={texts.onceText} confirm={texts.stored} onClose={onClose}>
      <CopyField label={texts.field} value={secret} copyLabel={texts.copy} />
      {isRotated && <p>{texts.both}</p>}
      <CodeBlock label={texts.verify} code={verificationSnippet} copyLabel={texts.copySnippet} />
      <p>
        <ExternalLink href="/docs">{texts.documentation}</ExternalLink>
      </p>
    </OnceShown>
  );
}
