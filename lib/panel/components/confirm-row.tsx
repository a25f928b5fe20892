import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Row } from './layout.tsx';

interface ConfirmRowProps {
  question: string;
  /** The name of the button that does it. */
  action: string;
  isPending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks within a list, which a dialog has already, before one of its things is deleted. */
export function ConfirmRow({ question, action, isPending, onConfirm, onCancel }: ConfirmRowProps) {
  return (
    <Row>
      <span>{question}</span>
      <Button size="small" onPress={onCancel}>
        {words.shared.actions.cancel}
      </Button>
      <Button size="small" variant="danger" isPending={isPending} onPress={onConfirm}>
        {action}
      </Button>
    </Row>
  );
}
