import { Component, type ReactNode } from 'react';
import { FailureText } from './page-failure.tsx';

interface State {
  error: Error | undefined;
}

/** The last resort: shows what failed instead of an empty page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <FailureText error={error} />;
  }
}
