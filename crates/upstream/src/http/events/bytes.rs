//! The bytes of an open stream: a response comes in, pieces of valid UTF-8 go out, as the network brings them.
//!
//! A silence longer than the site's timeout, a broken connection and an event over the limit end it with an error. What is no
//! UTF-8 is replaced, as the standard says.

use crate::error::{TransportErrorKind, UnreadableKind, UpstreamError};
use crate::http::send::transport;
use crate::http::transport_error;
use ::bytes::Bytes;
use aqueduct_egress::response::Response;
use aqueduct_egress::sse::{EventBounds, TooLarge};
use aqueduct_operations::target::Site;
use encoding_rs::{Decoder, UTF_8};
use futures::stream::{BoxStream, StreamExt, unfold};
use std::sync::Arc;

struct ByteSource {
    response: Response,
    site: Arc<Site>,
    decoder: Decoder,
    bounds: EventBounds,
    max_bytes: usize,
    /// Given after what came before it.
    error: Option<UpstreamError>,
}

/// The bytes of a response, until it ends.
pub(super) fn bytes(
    response: Response,
    site: Arc<Site>,
    max_bytes: usize,
) -> BoxStream<'static, Result<Bytes, UpstreamError>> {
    let bounds = EventBounds::new(max_bytes);
    let decoder = UTF_8.new_decoder_without_bom_handling();
    let source = ByteSource { response, site, decoder, bounds, max_bytes, error: None };
    unfold(source, async |mut source| source.next().await.map(|item| (item, source))).boxed()
}

impl ByteSource {
    async fn next(&mut self) -> Option<Result<Bytes, UpstreamError>> {
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        let after = self.site.timeout;
        let Ok(chunk) = tokio::time::timeout(after, self.response.chunk()).await else {
            return Some(Err(transport(&self.site, TransportErrorKind::Timeout { after })));
        };
        match chunk {
            Ok(None) => None,
            Ok(Some(chunk)) => Some(Ok(self.admitted(&chunk))),
            Err(error) => Some(Err(match transport_error::reading(&error) {
                Some(kind) => transport(&self.site, kind),
                None => {
                    let content_type = super::content_type(&self.response);
                    super::unreadable(UnreadableKind::Encoding, self.response.status(), content_type)
                }
            })),
        }
    }

    /// The piece as valid text, up to an event that is too large.
    fn admitted(&mut self, mut chunk: &[u8]) -> Bytes {
        if let Err(TooLarge { size, good }) = self.bounds.admit(chunk) {
            let number = |bytes| u64::try_from(bytes).unwrap_or(u64::MAX);
            let limit = number(self.max_bytes);
            self.error = Some(UpstreamError::TooLarge { limit, actual: number(size) });
            chunk = &chunk[..good];
        }
        let room = self.decoder.max_utf8_buffer_length(chunk.len()).unwrap_or(chunk.len() * 3);
        let mut text = String::with_capacity(room);
        // There is room for all of it, so that nothing is left over.
        let (_result, _read, _replaced) = self.decoder.decode_to_string(chunk, &mut text, false);
        text.into()
    }
}
