/** Milliseconds that a test waits for the editor to show something: far above what a busy machine with 2 cores needs. */
export const editorPatience = 60_000;
