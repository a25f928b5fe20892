import { jsx as _jsx } from "react/jsx-runtime";
import { Component } from 'react';
import { FailureText } from './page-failure.tsx';
/** The last resort: shows what failed instead of an empty page. */
export class ErrorBoundary extends Component {
    state = { error: undefined };
    static getDerivedStateFromError(error) {
        return { error: error instanceof Error ? error : new Error(String(error)) };
    }
    render() {
        const { error } = this.state;
        return error === undefined ? this.props.children : _jsx(FailureText, { error: error });
    }
}
