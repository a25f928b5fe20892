import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { strings } from './strings.ts';

/** Shows a request as a command to copy. */
export function CurlDialog({ command, onClose }: { readonly command: string; readonly onClose: () => void }) {
  const texts = strings.curl;
  return (
    <Dialog title={texts.title} isOpen onClose={onClose} size="medium">
      <DialogBody>
        <p>{texts.text}</p>
        <CodeBlock label={texts.label} code={command} copyLabel={texts.copy} />
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{strings.done}</Button>
      </DialogActions>
    </Dialog>
  );
}
