import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { CodeBlock } from './code-block.tsx';
import { Dialog, DialogActions, DialogBody } from './dialog.tsx';

/** Shows a request as a command to copy. */
export function CurlDialog({ command, onClose }: { command: string; onClose: () => void }) {
  const texts = words.shared.curl;
  return (
    <Dialog title={texts.title} isOpen onClose={onClose} size="medium">
      <DialogBody>
        <p>{texts.text}</p>
        <CodeBlock label={texts.label} code={command} copyLabel={texts.copy} />
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.done}</Button>
      </DialogActions>
    </Dialog>
  );
}
