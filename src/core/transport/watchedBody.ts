// A body that tells when it has ended, however it ended: read to its end, broken, or given up by its reader.

/** `onEnd` is called once. */
export function watchedBody(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let ended = false;
  // A reader that gives up during a read also ends that read.
  const end = (): void => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        if (!ended) controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    cancel: async (reason) => {
      end();
      await reader.cancel(reason);
    },
  });
}
