// A body that tells when it has ended, however it ended: read to its end, broken, or given up by its reader.

export function watchedBody(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    cancel: async (reason) => {
      onEnd();
      await reader.cancel(reason);
    },
  });
}
