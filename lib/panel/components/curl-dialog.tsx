import { strings } from '../strings.ts';
import { Button } from './button.tsx';
import { CodeBlock } from './code-block.tsx';
import { Dialog, DialogActions, DialogBody } from './dialog.tsx';

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
        <Button onPress={onClose}>{strings.actions.done}</Button>
      </DialogActions>
    </Dialog>
  );
}
